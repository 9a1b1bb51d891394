import { SegmentedControl } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { pageNonce } from '../../ui/nonce.ts'
import { ErrorState, LoadingRows } from '../../ui/states.tsx'
import { currentLanguage, useWords } from '../../ui/words.ts'
import { previewQuery } from './queries.ts'
import type { LinkSettings } from './rules.ts'
import classes from './signup.module.css'
import { signupWords } from './words.ts'

/** Whoever still types is not asked after at every letter. */
const TYPING_MS = 250

/** The very page that guests get, drawn by the server from what is in the form. In its frame nothing can be sent. */
export const SignupPagePreview = ({ slug, settings }: { slug: string; settings: LinkSettings }) => {
  const words = useWords(signupWords)
  const [language, setLanguage] = useState(currentLanguage)
  // Neither of them is on the page.
  const { name: _name, capacity: _capacity, ...shown } = settings
  const [asked] = useDebouncedValue(JSON.stringify(shown), TYPING_MS)
  const query = useQuery({
    ...previewQuery(slug, JSON.parse(asked) as Partial<LinkSettings>, language),
    placeholderData: keepPreviousData,
  })
  return (
    <aside className={classes.preview} aria-label={words.preview}>
      <div className={classes.previewHead}>
        <div>
          <strong>{words.preview}</strong>
          <div className={classes.quiet}>{words.previewHint}</div>
        </div>
        <SegmentedControl
          size="xs"
          aria-label={words.previewLanguage}
          value={language}
          onChange={setLanguage}
          data={[
            { value: 'en', label: 'English' },
            { value: 'de', label: 'Deutsch' },
          ]}
        />
      </div>
      {query.isPending && <LoadingRows rows={3} height={96} />}
      {query.isError && !query.data && <ErrorState error={query.error} onRetry={() => void query.refetch()} />}
      {query.data !== undefined && (
        <iframe className={classes.sheet} title={words.previewFrame} sandbox="" srcDoc={withNonce(query.data)} />
      )}
    </aside>
  )
}

/** A frame without an address of its own is under the policy of this page, which knows its styles by the nonce. */
const withNonce = (html: string): string => html.replace('<style>', `<style nonce="${pageNonce()}">`)
