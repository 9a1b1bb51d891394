import { Button, Input, Progress, Text } from '@mantine/core'
import { type ReactNode, useId, useRef, useState } from 'react'
import { isRefusal } from '../../api/client.ts'
import { uploadImage } from '../../api/upload.ts'
import { useLatest } from '../latest.ts'
import { refusalSentence } from '../refusal-words.ts'
import { useWords } from '../words.ts'
import classes from './image-field.module.css'
import { previewUrlOf, rememberPreview } from './image-previews.ts'
import { imageWords } from './words.ts'

interface ImageFieldProps {
  label: string
  /** An address, or the signed ID of an upload. */
  value: string | null
  onChange: (image: string | null) => void
  error?: string | undefined
}

/** One picture: chosen, dropped or pasted. */
export const ImageField = ({ label, value, onChange, error }: ImageFieldProps) => {
  const words = useWords(imageWords)
  return (
    <DropField label={label} error={error} onUploaded={([image]) => onChange(image ?? null)}>
      {value !== null && (
        <>
          <Picture value={value} />
          <Button size="compact-sm" variant="default" onClick={() => onChange(null)}>
            {words.remove(label)}
          </Button>
        </>
      )}
    </DropField>
  )
}

interface GalleryFieldProps {
  label: string
  value: readonly string[]
  onChange: (images: string[]) => void
  error?: string | undefined
}

export const GalleryField = ({ label, value, onChange, error }: GalleryFieldProps) => {
  const words = useWords(imageWords)
  return (
    <DropField label={label} error={error} isMany onUploaded={(images) => onChange([...value, ...images])}>
      {value.length > 0 && (
        <div className={classes.gallery}>
          {value.map((image, n) => (
            <div key={image} className={classes.galleryItem}>
              <Picture value={image} />
              <Button
                size="compact-sm"
                variant="default"
                onClick={() => onChange(value.filter((each) => each !== image))}
              >
                {words.remove(words.nth(n + 1))}
              </Button>
            </div>
          ))}
        </div>
      )}
    </DropField>
  )
}

const Picture = ({ value }: { value: string }) => {
  const words = useWords(imageWords)
  const source = previewUrlOf(value)
  if (source) return <img className={classes.picture} src={source} alt="" />
  return (
    <Text size="sm" c="dimmed">
      {value.startsWith('https:') ? `${words.elsewhere} ${value}` : words.uploaded}
    </Text>
  )
}

interface DropFieldProps {
  label: string
  error: string | undefined
  isMany?: boolean
  onUploaded: (images: string[]) => void
  children: ReactNode
}

const DropField = ({ label, error, isMany = false, onUploaded, children }: DropFieldProps) => {
  const words = useWords(imageWords)
  const id = useId()
  const picker = useRef<HTMLInputElement>(null)
  const [isOver, setIsOver] = useState(false)
  const [part, setPart] = useState<number | null>(null)
  const [fault, setFault] = useState<string | null>(null)
  /** A picture that was taken out while another was on its way stays out. */
  const told = useLatest(onUploaded)

  const take = async (list: FileList | null | undefined) => {
    const files = Array.from(list ?? []).slice(0, isMany ? undefined : 1)
    if (files.length === 0 || part !== null) return
    setFault(null)
    setPart(0)
    try {
      const uploaded: string[] = []
      for (const [n, file] of files.entries()) {
        const image = await uploadImage(file, (sent) => setPart((n + sent) / files.length))
        rememberPreview(image, file)
        uploaded.push(image)
      }
      told.current(uploaded)
    } catch (thrown) {
      setFault(isRefusal(thrown, 'invalid') ? words.refused : refusalSentence(thrown))
    } finally {
      setPart(null)
    }
  }

  return (
    <Input.Wrapper label={label} labelElement="div" labelProps={{ id }} error={error ?? fault}>
      {/* What is dropped or pasted is a way beside the button, which everybody can use. */}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions */}
      <div
        className={classes.drop}
        role="group"
        aria-labelledby={id}
        data-over={isOver || undefined}
        onDragOver={(event) => {
          event.preventDefault()
          setIsOver(true)
        }}
        onDragLeave={() => setIsOver(false)}
        onDrop={(event) => {
          event.preventDefault()
          setIsOver(false)
          void take(event.dataTransfer.files)
        }}
        onPaste={(event) => void take(event.clipboardData.files)}
      >
        {children}
        <Button size="compact-md" variant="default" onClick={() => picker.current?.click()}>
          {words.add}
        </Button>
        <Text size="sm" c="dimmed">
          {words.drop}
        </Text>
        <input
          ref={picker}
          type="file"
          hidden
          accept="image/png,image/jpeg,image/gif,image/webp,image/avif"
          multiple={isMany}
          aria-label={label}
          onChange={(event) => {
            void take(event.currentTarget.files)
            event.currentTarget.value = ''
          }}
        />
        {part !== null && <Progress value={part * 100} w="100%" size="sm" aria-label={words.uploading(label)} />}
      </div>
    </Input.Wrapper>
  )
}
