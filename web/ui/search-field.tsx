import { ActionIcon, TextInput } from '@mantine/core'
import { memo, useRef } from 'react'
import { commonWords } from './common-words.ts'
import { SearchIcon } from './icons.tsx'
import { useShortcuts } from './keyboard.tsx'
import { useWords } from './words.ts'

interface SearchFieldProps {
  label: string
  text: string
  onText: (text: string) => void
  className?: string | undefined
}

/** Above a list: `/` goes into it, Escape out of it, and what was typed stays. */
export const SearchField = memo(({ label, text, onText, className }: SearchFieldProps) => {
  const words = useWords(commonWords)
  const field = useRef<HTMLInputElement>(null)
  useShortcuts([{ keys: '/', label: words.keys.search, run: () => field.current?.focus() }])
  return (
    <TextInput
      ref={field}
      className={className}
      type="search"
      aria-label={label}
      placeholder={label}
      leftSection={<SearchIcon size={16} />}
      value={text}
      onChange={(event) => onText(event.currentTarget.value)}
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return
        // A field for searches would empty itself.
        event.preventDefault()
        event.currentTarget.blur()
      }}
      rightSection={
        text !== '' && (
          <ActionIcon variant="subtle" color="gray" aria-label={words.clearSearch} onClick={() => onText('')}>
            ×
          </ActionIcon>
        )
      }
    />
  )
})
SearchField.displayName = 'SearchField'
