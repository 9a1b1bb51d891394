import { Button, NativeSelect, NumberInput, Table, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { Schemas } from '../../api/client.ts'
import { refusalSentence } from '../../ui/refusal-words.ts'
import { useWords } from '../../ui/words.ts'
import classes from './guest-list.module.css'
import { importWords } from './import-words.ts'
import { questionsQuery } from './queries.ts'

type GuestImport = Schemas['GuestImport']

export interface ImportReadingOptions {
  columns?: (string | null)[]
  header_line?: number
  delimiter?: GuestImport['delimiter']
  encoding?: string
}

const DELIMITERS = ['comma', 'semicolon', 'tab', 'pipe', 'none'] as const

/** Those that lists of guests are found in; the API knows all others. */
const ENCODINGS = [
  'utf-8',
  'windows-1252',
  'windows-1250',
  'windows-1251',
  'windows-1254',
  'iso-8859-15',
  'macintosh',
  'utf-16le',
  'utf-16be',
  'shift_jis',
  'gb18030',
  'euc-kr',
]

interface ImportReadingProps {
  slug: string
  reading: GuestImport
  isReadable: boolean
  isPending: boolean
  error: unknown
  onReread: (options: ImportReadingOptions) => void
}

/** How a list was understood, and how it could be understood otherwise. */
export const ImportInterpretation = ({ slug, reading, isReadable, isPending, error, onReread }: ImportReadingProps) => {
  const own = useWords(importWords)
  const questions = useQuery(questionsQuery(slug))
  const [columns, setColumns] = useState<Record<number, string>>({})
  const [header, setHeader] = useState<number | null>(reading.header_line)
  const [delimiter, setDelimiter] = useState(reading.delimiter)
  const [encoding, setEncoding] = useState(reading.encoding)

  const fields = [
    ...Object.entries(own.fields)
      .filter(([field]) => field !== 'questions')
      .map(([value, label]) => ({ value, label })),
    ...(questions.data ?? []).map(({ id, label }) => ({ value: `question_${id}`, label })),
  ]
  const isOtherwiseCut = delimiter !== reading.delimiter || encoding !== reading.encoding
  const reread = () =>
    onReread({
      delimiter,
      ...(encoding !== null && { encoding }),
      header_line: header ?? 0,
      // Cut or decoded in another way, the columns are others.
      ...(!isOtherwiseCut && { columns: reading.columns.map(({ field }, n) => (columns[n] ?? field) || null) }),
    })

  return (
    <section className={classes.reading} aria-label={own.columns}>
      <Title order={2} size="lg">
        {own.columns}
      </Title>
      <Table.ScrollContainer minWidth={0} scrollAreaProps={{ viewportProps: { tabIndex: 0 } }}>
        <Table verticalSpacing="xs">
          <Table.Tbody>
            {reading.columns
              .map((column, n) => ({ ...column, n }))
              .map(({ heading, field, samples, n }) => (
                <Table.Tr key={n}>
                  <Table.Th scope="row" dir="auto">
                    {heading ?? own.columnN(n + 1)}
                  </Table.Th>
                  <Table.Td>
                    <NativeSelect
                      aria-label={heading ?? own.columnN(n + 1)}
                      value={columns[n] ?? field ?? ''}
                      disabled={!isReadable}
                      onChange={(event) => setColumns({ ...columns, [n]: event.currentTarget.value })}
                      data={[{ value: '', label: own.ignore }, ...fields]}
                    />
                  </Table.Td>
                  <Table.Td className={classes.samples} dir="auto">
                    {samples.join(' · ')}
                  </Table.Td>
                </Table.Tr>
              ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
      {isReadable ? (
        <div className={classes.quickChoices}>
          <NumberInput
            label={own.headerLine}
            placeholder={own.noHeader}
            value={header ?? ''}
            min={0}
            allowDecimal={false}
            hideControls
            onChange={(value) => setHeader(typeof value === 'number' && value > 0 ? value : null)}
          />
          <NativeSelect
            label={own.delimiter}
            value={delimiter}
            onChange={(event) => setDelimiter(event.currentTarget.value as GuestImport['delimiter'])}
            data={DELIMITERS.map((value) => ({ value, label: own.delimiters[value] }))}
          />
          {reading.encoding !== null && (
            <NativeSelect
              label={own.encoding}
              value={encoding ?? 'utf-8'}
              onChange={(event) => setEncoding(event.currentTarget.value)}
              data={[...new Set([reading.encoding, ...ENCODINGS])]}
            />
          )}
          <Button variant="default" loading={isPending} onClick={reread}>
            {own.reread}
          </Button>
        </div>
      ) : (
        <p className={classes.quiet}>{own.fileGone}</p>
      )}
      {error !== null && error !== undefined && (
        <p className={classes.fault} role="alert">
          {refusalSentence(error)}
        </p>
      )}
    </section>
  )
}
