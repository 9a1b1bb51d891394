import { useEffect } from 'react'

/** The name of a view in the browser's tab, the innermost first. */
export const usePageTitle = (...parts: (string | undefined)[]) => {
  const title = [...parts, 'Foyer'].filter(Boolean).join(' · ')
  useEffect(() => {
    document.title = title
  }, [title])
}
