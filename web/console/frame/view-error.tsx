import { useEffect, useRef, useSyncExternalStore } from 'react'
import { connectionState } from '../../api/line.ts'
import { ApiRefusal } from '../../api/refusals.ts'
import { ErrorState } from '../../ui/states.tsx'

interface ViewErrorProps {
  error: unknown
  reset: () => void
}

/** What stands where a view has failed. */
export const ViewError = ({ error, reset }: ViewErrorProps) =>
  isOfLoading(error) ? <CodeMissing error={error} /> : <ErrorState level={1} error={error} onRetry={reset} />

/** The code of a room that could not be fetched, as browsers and our own loader say it. */
const isOfLoading = (error: unknown) =>
  error instanceof Error &&
  /unable to preload|(?:loading|imported|importing a) (?:dynamically imported )?module/i.test(error.message)

/** Only a page that is loaded anew asks for it again; where there is no line, it does so as soon as there is one. */
const CodeMissing = ({ error }: { error: unknown }) => {
  const isThere = useSyncExternalStore(connectionState.listen, () => connectionState.isThere)
  const wasAway = useRef(false)
  useEffect(() => {
    if (!isThere) wasAway.current = true
    else if (wasAway.current) location.reload()
  }, [isThere])
  return isThere ? (
    <ErrorState level={1} error={error} onRetry={() => location.reload()} />
  ) : (
    <ErrorState level={1} error={new ApiRefusal('offline')} />
  )
}
