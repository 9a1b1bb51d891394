import { useComputedColorScheme } from '@mantine/core'
import { useEffect, useRef } from 'react'
import uPlot from 'uplot'
import 'uplot/dist/uPlot.min.css'
import type { Schemas } from '../../api/client.ts'
import { useFormat } from '../../ui/format.ts'
import { useWords } from '../../ui/words.ts'
import { useMonthName } from './month-name.ts'
import { monthWords } from './month-words.ts'
import classes from './vouchers.module.css'

const HEIGHT = 280
const BAR_SHARE = 0.28
const BAR_MAX = 40

/** The colours of the page as they are now: the drawing knows no custom properties. */
const colourOf = (name: string) => getComputedStyle(document.documentElement).getPropertyValue(name).trim()

const bars = (align: 1 | -1) => uPlot.paths.bars!({ size: [BAR_SHARE, BAR_MAX], align })

interface MonthPlotProps {
  months: Schemas['VoucherMonths']
}

/** Drawn anew where the colours of the page are others by now. */
const MonthPlot = ({ months }: MonthPlotProps) => <DrawnPlot key={useComputedColorScheme()} months={months} />

/** Issued and spent as bars beside each other, what was left as a line above them. */
const DrawnPlot = ({ months: { months, currency } }: MonthPlotProps) => {
  const words = useWords(monthWords)
  const { money } = useFormat()
  const nameOf = useMonthName()
  const place = useRef<HTMLDivElement>(null)

  useEffect(() => {
    const shown = place.current!
    const value = (_plot: uPlot, amount: number | null) => (amount === null ? '–' : money(amount.toFixed(2), currency))
    const axis = { stroke: colourOf('--muted'), grid: { stroke: colourOf('--line'), width: 1 }, ticks: { show: false } }
    const plot = new uPlot(
      {
        width: shown.clientWidth,
        height: HEIGHT,
        scales: { x: { time: false, range: [-0.6, months.length - 0.4] } },
        axes: [
          {
            ...axis,
            grid: { show: false },
            splits: () => months.map((_month, at) => at),
            values: (_plot, splits) =>
              splits.map((at) =>
                shown.clientWidth < 600 && at % 3 !== 2 ? '' : nameOf(months[at]!.month, 'shortMonth'),
              ),
          },
          { ...axis, size: 84, values: (_plot, splits) => splits.map((amount) => money(String(amount), currency)) },
        ],
        series: [
          { label: words.month, value: (_plot, at: number | null) => (at === null ? '–' : nameOf(months[at]!.month)) },
          { label: words.lines.issued, fill: colourOf('--good'), paths: bars(-1), points: { show: false }, value },
          { label: words.lines.spent, fill: colourOf('--warn'), paths: bars(1), points: { show: false }, value },
          { label: words.lines.closing, stroke: colourOf('--accent'), width: 2, points: { size: 7 }, value },
        ],
      },
      [
        months.map((_month, at) => at),
        months.map(({ issued }) => Number(issued)),
        months.map(({ spent }) => Number(spent)),
        months.map(({ closing }) => Number(closing)),
      ],
      shown,
    )
    const observer = new ResizeObserver(() => plot.setSize({ width: shown.clientWidth, height: HEIGHT }))
    observer.observe(shown)
    return () => {
      observer.disconnect()
      plot.destroy()
    }
  }, [months, currency, words, money, nameOf])

  return (
    <figure className={classes.plot} aria-label={words.plot(nameOf(months[0]!.month), nameOf(months.at(-1)!.month))}>
      <div ref={place} aria-hidden="true" />
    </figure>
  )
}

export default MonthPlot
