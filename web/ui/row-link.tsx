import { useRouter } from '@tanstack/react-router'
import { type MouseEvent, type ReactNode, useCallback } from 'react'

interface RowLinkProps {
  /** Within the console, parts already encoded. */
  path: string
  className?: string | undefined
  children: ReactNode
}

/** A link for rows of long lists: it knows nothing of where one is, so dozens of them cost nothing while one types. */
export const RowLink = ({ path, className, children }: RowLinkProps) => {
  const router = useRouter()
  const open = useCallback(
    (event: MouseEvent) => {
      // Another tab, another window: the browser knows how.
      if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return
      event.preventDefault()
      void router.navigate({ to: path })
    },
    [router, path],
  )
  return (
    <a href={`${router.basepath}${path}`} className={className} onClick={open}>
      {children}
    </a>
  )
}
