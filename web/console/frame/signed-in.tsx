import { Text, Title } from '@mantine/core'
import { useEffect } from 'react'
import { usePageTitle } from '../../ui/page-title.ts'
import { useWords } from '../../ui/words.ts'
import classes from './frame.module.css'
import { announceSignIn } from './sign-in-channel.ts'
import { frameWords } from './words.ts'

/** Where signing in again ends: the page that waits for it is told, and goes on. */
export const SignedInView = () => {
  const words = useWords(frameWords)
  usePageTitle(words.backAgain)
  useEffect(() => {
    announceSignIn()
    window.close()
  }, [])
  return (
    <main className={classes.alone}>
      <Title order={1} size="xl">
        {words.backAgain}
      </Title>
      <Text c="dimmed">{words.canClose}</Text>
    </main>
  )
}
