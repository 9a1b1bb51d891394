import { Progress } from '@mantine/core'
import { useFormat } from '../../ui/format.ts'
import { useWords } from '../../ui/words.ts'
import type { SignupLink } from './rules.ts'
import classes from './signup.module.css'
import { signupWords } from './words.ts'

/** How much of the quota is taken, as a bar and in words. */
export const QuotaBar = ({
  link,
}: {
  link: Pick<SignupLink, 'capacity' | 'admission_count' | 'remaining_capacity'>
}) => {
  const words = useWords(signupWords)
  const { number } = useFormat()
  const share = Math.min(100, (link.admission_count / link.capacity) * 100)
  const text = words.taken(number(link.admission_count), number(link.capacity))
  return (
    <div className={classes.quota}>
      <span className={classes.quotaText}>
        <span>{text}</span>
        <span className={classes.quiet}>{words.left(number(link.remaining_capacity))}</span>
      </span>
      <Progress value={share} size="sm" color={link.remaining_capacity === 0 ? 'warn' : 'accent'} aria-label={text} />
    </div>
  )
}
