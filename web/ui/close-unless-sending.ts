import { type MutationKey, useQueryClient } from '@tanstack/react-query'

/**
 * Closes a dialog unless what it asked for is on its way: that is shown once and never again. The moment before the page
 * shows that it is busy counts as well, so this looks at what is, not at what was drawn.
 */
export const useCloseUnlessSending = (mutationKey: MutationKey, onClose: () => void): (() => void) => {
  const queries = useQueryClient()
  return () => {
    if (queries.isMutating({ mutationKey }) === 0) onClose()
  }
}
