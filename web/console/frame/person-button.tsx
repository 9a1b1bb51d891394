import { Text, UnstyledButton } from '@mantine/core'
import type { ComponentProps } from 'react'
import { PersonIcon } from '../../ui/icons.tsx'
import { useSession } from '../../ui/session.tsx'
import { useWords } from '../../ui/words.ts'
import classes from './frame.module.css'
import { frameWords } from './words.ts'

/** Who is signed in; what a menu adds to it comes as properties. */
export const PersonButton = (props: ComponentProps<'button'>) => {
  const words = useWords(frameWords)
  const { person, role } = useSession()
  return (
    <UnstyledButton aria-haspopup="menu" {...props} className={classes.person}>
      <PersonIcon />
      <span className={classes.personName}>
        <span dir="auto">{person.name}</span>
        <Text span size="xs" c="dimmed">
          {words.roles[role]}
        </Text>
      </span>
    </UnstyledButton>
  )
}
