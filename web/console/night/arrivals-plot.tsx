import { useComputedColorScheme } from '@mantine/core'
import { useEffect, useRef, useState } from 'react'
import uPlot from 'uplot'
import 'uplot/dist/uPlot.min.css'
import { type Format, useFormat } from '../../ui/format.ts'
import classes from './night.module.css'
import type { PlotSeries } from './rules.ts'

interface ArrivalsPlotProps {
  series: PlotSeries
  zone: string
  /** What it shows, for those who do not see it. */
  label: string
}

const HEIGHT_SHARE = 0.3
const HEIGHT_MIN = 180
const HEIGHT_MAX = 380

const colour = (name: string) => getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim()

/** Both nights beneath each other: tonight as an area, the one before as a dashed line. */
const Plot = ({ series, zone, label }: ArrivalsPlotProps) => {
  const box = useRef<HTMLDivElement>(null)
  const [plot, setPlot] = useState<uPlot | null>(null)
  const format = useFormat()
  const hasBefore = series.before !== null

  useEffect(() => {
    const sizeOf = (width: number) => ({
      width: Math.floor(width),
      height: Math.round(Math.min(HEIGHT_MAX, Math.max(HEIGHT_MIN, width * HEIGHT_SHARE))),
    })
    const shown = box.current!
    const drawn = new uPlot(
      { ...optionsOf({ zone, hasBefore, format }), ...sizeOf(shown.clientWidth) },
      undefined,
      shown,
    )
    setPlot(drawn)
    const observer = new ResizeObserver(([entry]) => drawn.setSize(sizeOf(entry!.contentRect.width)))
    observer.observe(shown)
    return () => {
      observer.disconnect()
      drawn.destroy()
    }
  }, [zone, hasBefore, format])

  useEffect(() => {
    const { times, before, tonight } = series
    plot?.setData(before ? [times, before, tonight] : [times, tonight])
  }, [plot, series])

  return <div ref={box} className={classes.plot} role="img" aria-label={label} />
}

/** Drawn anew where light turns to dark: a canvas knows nothing of custom properties. */
const ArrivalsPlot = (props: ArrivalsPlotProps) => <Plot key={useComputedColorScheme()} {...props} />

interface Look {
  zone: string
  hasBefore: boolean
  format: Format
}

const optionsOf = ({ zone, hasBefore, format }: Look): Omit<uPlot.Options, 'width' | 'height'> => {
  const [text, line, accent, muted] = ['muted', 'line', 'accent', 'muted'].map(colour) as [
    string,
    string,
    string,
    string,
  ]
  const font = '12px system-ui, sans-serif'
  const axis = { stroke: text, font, grid: { stroke: line, width: 1 }, ticks: { stroke: line, width: 1 } }
  const clock = (seconds: number) => format.date(new Date(seconds * 1_000).toISOString(), zone, 'time')
  return {
    legend: { show: false },
    cursor: { show: false },
    tzDate: (seconds) => uPlot.tzDate(new Date(seconds * 1_000), zone),
    scales: { y: { range: (_plot, _min, max) => [0, Math.max(5, Math.ceil(max * 1.1))] } },
    axes: [
      { ...axis, space: 64, values: (_plot, times) => times.map(clock) },
      { ...axis, size: 44, incrs: [1, 2, 5, 10, 20, 50, 100, 200, 500, 1_000] },
    ],
    series: [
      {},
      ...(hasBefore ? [{ stroke: muted, width: 1.5, dash: [4, 4], points: { show: false } }] : []),
      {
        stroke: accent,
        width: 2,
        fill: `color-mix(in srgb, ${accent} 16%, transparent)`,
        points: { show: false },
      },
    ],
  }
}

export default ArrivalsPlot
