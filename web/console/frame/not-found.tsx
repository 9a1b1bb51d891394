import { Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { EmptyState } from '../../ui/states.tsx'
import { usePageTitle } from '../../ui/page-title.ts'
import { useWords } from '../../ui/words.ts'
import { frameWords } from './words.ts'

export const NotFoundView = () => {
  const words = useWords(frameWords)
  usePageTitle(words.notFound)
  return (
    <EmptyState
      level={1}
      title={words.notFound}
      action={
        <Button renderRoot={(props) => <Link to="/events" {...props} />} variant="default">
          {words.toEvents}
        </Button>
      }
    >
      {words.notFoundMore}
    </EmptyState>
  )
}
