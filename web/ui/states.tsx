import { Button, Skeleton, Stack, Text, Title } from '@mantine/core'
import type { ReactNode } from 'react'
import { isRefusal } from '../api/client.ts'
import { commonWords } from './common-words.ts'
import classes from './states.module.css'
import { refusalSentence } from './refusal-words.ts'
import { useWords } from './words.ts'

interface StateProps {
  /** 1 where there is no other heading of the view. */
  level?: 1 | 2
}

/** Nothing is there yet: says so, and offers the first step. */
export const EmptyState = ({
  title,
  children,
  action,
  level = 2,
}: StateProps & { title: string; children?: ReactNode; action?: ReactNode }) => (
  <div className={classes.state}>
    <Title order={level} size="lg">
      {title}
    </Title>
    <Text c="dimmed" maw="36rem">
      {children}
    </Text>
    {action}
  </div>
)

/** Something could not be read: says why, and what to do. */
export const ErrorState = ({ error, onRetry, level = 2 }: StateProps & { error: unknown; onRetry?: () => void }) => {
  const words = useWords(commonWords)
  const isGone = isRefusal(error, 'not_found')
  return (
    <div className={classes.state} role="alert">
      <Title order={level} size="lg">
        {isGone ? words.gone : words.broken}
      </Title>
      <Text c="dimmed" maw="36rem">
        {refusalSentence(error)}
      </Text>
      {onRetry && !isGone && (
        <Button variant="default" onClick={onRetry}>
          {words.retry}
        </Button>
      )}
    </div>
  )
}

/** The shape of what is coming, so that nothing jumps when it is there. */
export const LoadingRows = ({ rows = 6, height = 64 }: { rows?: number; height?: number }) => {
  const words = useWords(commonWords)
  return (
    <Stack gap="xs" role="status" aria-label={words.loading}>
      {Array.from({ length: rows }, (_, row) => (
        <Skeleton key={row} height={height} radius="md" />
      ))}
    </Stack>
  )
}
