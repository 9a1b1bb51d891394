import { Button } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import type { EditState } from '../../ui/form/edit.ts'
import { useFocusOnFirstField } from '../../ui/form/focus.ts'
import { FormFooter } from '../../ui/form/form-end.tsx'
import { refusalSentence } from '../../ui/refusal-words.ts'
import { showToast, showErrorToast } from '../../ui/toasts.tsx'
import { useWords } from '../../ui/words.ts'
import { partWords } from './part-words.ts'
import { invalidateEventQueries } from './queries.ts'
import classes from './setting-up.module.css'

interface PartFormProps<T> {
  edit: EditState<T>
  names: Readonly<Record<string, string>>
  createLabel: string
  /** Null: it is new. */
  remove: (() => Promise<unknown>) | null
  close: () => void
  children: ReactNode
}

/** The form of a ticket, an area or a question around its own fields. */
export const PartForm = <T extends object>({ edit, names, createLabel, remove, close, children }: PartFormProps<T>) => {
  const words = useWords(partWords)
  const form = useFocusOnFirstField()
  return (
    <form
      ref={form}
      className={classes.partForm}
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        if (!edit.isSaving) void edit.save()
      }}
    >
      {children}
      <FormFooter
        edit={edit}
        nameOf={(key) => names[key.split(/[.[]/)[0]!] ?? key}
        isNew={remove === null}
        {...(remove === null && { saveLabel: createLabel })}
      >
        <Button
          variant="default"
          onClick={() => {
            if (remove === null) edit.discard()
            close()
          }}
        >
          {words.close}
        </Button>
        {remove && <RemoveButton remove={remove} onRemoved={close} />}
      </FormFooter>
    </form>
  )
}

/** Asks once before something goes for good, where the button stands. */
const RemoveButton = ({ remove, onRemoved }: { remove: () => Promise<unknown>; onRemoved: () => void }) => {
  const words = useWords(partWords)
  const queries = useQueryClient()
  const [isAsked, setIsAsked] = useState(false)
  const run = async () => {
    setIsAsked(false)
    try {
      await remove()
      showToast(words.removed)
      onRemoved()
    } catch (error) {
      showErrorToast(refusalSentence(error))
    }
    await invalidateEventQueries(queries)
  }
  if (!isAsked) {
    return (
      <Button variant="subtle" color="bad" onClick={() => setIsAsked(true)}>
        {words.remove}
      </Button>
    )
  }
  return (
    <>
      <Button color="bad" onClick={() => void run()}>
        {words.reallyRemove}
      </Button>
      <Button variant="default" onClick={() => setIsAsked(false)}>
        {words.keepIt}
      </Button>
    </>
  )
}
