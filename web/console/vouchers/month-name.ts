import { useCallback } from 'react'
import { useFormat } from '../../ui/format.ts'

/** A month such as 2026-11 by its name. */
export const useMonthName = () => {
  const { date } = useFormat()
  return useCallback(
    (month: string, style: 'month' | 'shortMonth' = 'month') => date(`${month}-15T12:00:00Z`, 'UTC', style),
    [date],
  )
}
