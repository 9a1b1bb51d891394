import { Title } from '@mantine/core'
import { Link, Outlet } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import { useSession } from '../../ui/session.tsx'
import { useWords } from '../../ui/words.ts'
import { teamPartsOf } from './rules.ts'
import classes from './team.module.css'
import { teamWords } from './words.ts'

const PATHS = {
  people: '/team',
  devices: '/team/devices',
  tokens: '/team/tokens',
  webhooks: '/team/webhooks',
  log: '/team/log',
  settings: '/team/settings',
} as const

/** Who works here and with what: people, devices, tokens, webhooks, the log, and the settings of the venue. */
export const TeamFrame = () => {
  const words = useWords(teamWords)
  const { role } = useSession()
  const tabs = useRef<HTMLElement>(null)
  useEffect(() => {
    // On a phone not all of them are in sight.
    tabs.current?.querySelector('[aria-current="page"]')?.scrollIntoView({ block: 'nearest', inline: 'nearest' })
  })
  return (
    <>
      <Title order={1} size="h2">
        {words.team}
      </Title>
      <nav ref={tabs} className={classes.tabs} aria-label={words.parts}>
        {teamPartsOf(role).map((part) => (
          <Link
            key={part}
            to={PATHS[part]}
            activeOptions={{ exact: part === 'people', includeSearch: false }}
            activeProps={{ 'aria-current': 'page' }}
            className={classes.tab}
          >
            {words.tabs[part]}
          </Link>
        ))}
      </nav>
      <Outlet />
    </>
  )
}
