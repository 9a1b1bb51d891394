import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useFormat } from '../../ui/format.ts'
import { useWords } from '../../ui/words.ts'
import { unreadWords } from './unread-words.ts'
import { inboxQuery } from './queries.ts'

/** How many notifications have not been read, beside the way to them. */
export const UnreadCount = ({ className }: { className: string | undefined }) => {
  const words = useWords(unreadWords)
  const { number } = useFormat()
  const queries = useQueryClient()
  const { data } = useQuery(inboxQuery)
  useEffect(() => {
    // The service worker tells the pages that something has come.
    const hear = ({ data: said }: MessageEvent) => {
      if (said === 'notified') void queries.invalidateQueries({ queryKey: inboxQuery.queryKey })
    }
    navigator.serviceWorker?.addEventListener('message', hear)
    return () => navigator.serviceWorker?.removeEventListener('message', hear)
  }, [queries])
  if (!data || data.unread_count === 0) return null
  return (
    <span className={className} aria-label={words.unread(data.unread_count)} role="img">
      {number(data.unread_count)}
    </span>
  )
}
