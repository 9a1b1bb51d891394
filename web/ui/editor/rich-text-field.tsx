import { Input, Skeleton } from '@mantine/core'
import { Suspense, lazy, useId } from 'react'
import type { FileUploads } from './uploads.tsx'

/** The editor weighs more than a whole room, so it comes when it is used. */
const Editor = lazy(() => import('./editor.tsx'))

export interface RichTextFieldProps {
  label: string
  /** HTML as the API keeps it; empty where there is nothing. */
  value: string
  onChange: (html: string) => void
  error?: string | undefined
  description?: string | undefined
  files?: FileUploads | undefined
  onSubmit?: (() => void) | undefined
  /** Whether files are on their way into the text: what is sent meanwhile goes without them. */
  onUploading?: ((isUploading: boolean) => void) | undefined
}

/** A text with simple formatting, no more than what the server lets through. */
export const RichTextField = ({ label, error, description, ...rest }: RichTextFieldProps) => {
  const id = useId()
  return (
    <Input.Wrapper
      label={label}
      labelElement="div"
      labelProps={{ id }}
      error={error}
      description={description}
      inputWrapperOrder={['label', 'description', 'input', 'error']}
    >
      <Suspense fallback={<Skeleton height={148} radius="md" />}>
        <Editor labelledBy={id} isInvalid={error !== undefined} {...rest} />
      </Suspense>
    </Input.Wrapper>
  )
}
