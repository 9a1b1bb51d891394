import { useQueryClient } from '@tanstack/react-query'
import { api } from '../../api/api.ts'
import { dataOrThrow } from '../../api/client.ts'
import { faultsByField, refusalSentence } from '../../ui/refusal-words.ts'
import { showToast, showErrorToast } from '../../ui/toasts.tsx'
import { type Place, eventPathParams, placesQuery } from './queries.ts'

export interface PlaceChange {
  blocked?: boolean
  ticket_id?: number
  label?: string
  accessibility?: 'wheelchair' | 'companion' | null
  pair?: string | null
}

/** What is wrong with places is told in one sentence: they have no field of their own. */
const sentenceOf = (error: unknown) => Object.values(faultsByField(error))[0] ?? refusalSentence(error)

/**
 * Changes places alike, all of them or none. Blocking is shown at once and taken back where it is refused; everything
 * else is shown as the server answers. Resolves to whether it was done.
 */
export const useChangePlaces = (slug: string) => {
  const queries = useQueryClient()
  const { queryKey } = placesQuery(slug)

  const show = (changed: ReadonlyMap<number, Partial<Place>>) =>
    queries.setQueryData(
      queryKey,
      (before: { places: Place[] } | undefined) =>
        before && { places: before.places.map((place) => ({ ...place, ...changed.get(place.id) })) },
    )

  return async (ids: readonly number[], place: PlaceChange, said: string): Promise<boolean> => {
    await queries.cancelQueries({ queryKey })
    const before = queries.getQueryData(queryKey)
    const { blocked } = place
    if (blocked !== undefined) show(new Map(ids.map((id) => [id, { blocked }])))
    try {
      const body = { place_ids: [...ids], place }
      const { places } = await dataOrThrow(
        api.PATCH('/admin/events/{event_slug}/places', { params: eventPathParams(slug), body }),
      )
      show(new Map(places.map((changed) => [changed.id, changed])))
      showToast(said)
      return true
    } catch (error) {
      queries.setQueryData(queryKey, before)
      showErrorToast(sentenceOf(error))
      await queries.invalidateQueries({ queryKey })
      return false
    }
  }
}
