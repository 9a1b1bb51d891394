/**
 * Loaded into a Foyer process before Foyer itself: when it is asked with SIGUSR2, it throws away what nobody needs any
 * more and writes down what is left.
 */
import { appendFileSync } from 'node:fs'
import { collectGarbage } from '../kit/process/collect-garbage.ts'

const file = process.env['FOYER_GAUGE']

process.on('SIGUSR2', () => {
  collectGarbage()
  collectGarbage()
  const { heapUsed, external } = process.memoryUsage()
  if (file) appendFileSync(file, `${JSON.stringify({ heapUsed, external })}\n`)
})
