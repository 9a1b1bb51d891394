import type { Page } from 'playwright-core'
import { atFullSpeed } from '../process/machine-speed.ts'

/** How long the page's own thread works for an expression, in milliseconds of a machine that computes fast. */
export const cpuTimeOf = async (page: Page, expression: string): Promise<number> => {
  const devtools = await page.context().newCDPSession(page)
  await devtools.send('Performance.enable', { timeDomain: 'threadTicks' })
  const worked = async () => {
    const { metrics } = await devtools.send('Performance.getMetrics')
    return metrics.find(({ name }) => name === 'TaskDuration')!.value * 1000
  }
  const before = await worked()
  await page.evaluate(expression)
  const after = await worked()
  await devtools.detach()
  return atFullSpeed(after - before)
}
