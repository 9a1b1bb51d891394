import { Anchor, Button, Group, List, Modal, Stack, Text } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { commonWords } from '../../ui/common-words.ts'
import { refusalSentence } from '../../ui/refusal-words.ts'
import { showToast, showErrorToast } from '../../ui/toasts.tsx'
import { useWords } from '../../ui/words.ts'
import { QrCode, qrCodeFile } from '../../ui/qr-code.tsx'
import { linksQuery, posterPath, rotateLink } from './queries.ts'
import type { SignupLink } from './rules.ts'
import classes from './signup.module.css'
import { signupWords } from './words.ts'

export const CopyButton = ({ link }: { link: SignupLink }) => {
  const words = useWords(signupWords)
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(link.public_url)
      showToast(words.copied)
    } catch {
      showErrorToast(words.notCopied)
    }
  }
  return (
    <Button size="compact-md" variant="default" onClick={() => void copy()}>
      {words.copy}
    </Button>
  )
}

export const PosterLink = ({ slug, link }: { slug: string; link: SignupLink }) => {
  const words = useWords(signupWords)
  return (
    <Button
      size="compact-md"
      variant="default"
      component="a"
      href={posterPath(slug, link.public_id)}
      target="_blank"
      rel="noreferrer"
    >
      {words.poster}
    </Button>
  )
}

/** The code large enough to be scanned from another phone. */
export const QrCodeDialog = ({ link, onClose }: { link: SignupLink; onClose: () => void }) => {
  const words = useWords(signupWords)
  const common = useWords(commonWords)
  const name = link.name ?? words.unnamed
  const keep = () => {
    const address = URL.createObjectURL(qrCodeFile(link.public_url))
    const anchor = Object.assign(document.createElement('a'), { href: address, download: 'signup-link.svg' })
    anchor.click()
    URL.revokeObjectURL(address)
  }
  return (
    <Modal opened onClose={onClose} title={words.codeOf(name)} closeButtonProps={{ 'aria-label': common.close }}>
      <Stack align="center">
        <QrCode content={link.public_url} label={words.codeOf(name)} className={classes.code} />
        <Anchor href={link.public_url} target="_blank" rel="noreferrer" size="sm">
          {link.public_url}
        </Anchor>
        <Button variant="default" data-autofocus onClick={keep}>
          {words.download}
        </Button>
      </Stack>
    </Modal>
  )
}

interface RotationDialogProps {
  slug: string
  link: SignupLink
  onClose: () => void
}

/** Says what breaks before it breaks. */
export const RotationDialog = ({ slug, link, onClose }: RotationDialogProps) => {
  const words = useWords(signupWords)
  const common = useWords(commonWords)
  const queries = useQueryClient()
  const rotation = useMutation({
    mutationFn: () => rotateLink(slug, link.public_id),
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey: linksQuery(slug).queryKey })
      showToast(words.rotated)
      onClose()
    },
  })
  return (
    <Modal opened onClose={onClose} title={words.sureRotate} closeButtonProps={{ 'aria-label': common.close }}>
      <Stack>
        <Text>{words.breaks}</Text>
        <List withPadding>
          {(['links', 'codes', 'forms'] as const).map((what) => (
            <List.Item key={what}>{words.breaksList[what]}</List.Item>
          ))}
        </List>
        <Text>{words.stays}</Text>
        {rotation.isError && (
          <Text c="var(--bad)" role="alert">
            {refusalSentence(rotation.error)}
          </Text>
        )}
        <Group justify="flex-end">
          <Button variant="default" data-autofocus onClick={onClose}>
            {common.cancel}
          </Button>
          <Button color="bad" loading={rotation.isPending} onClick={() => rotation.mutate()}>
            {words.rotateNow}
          </Button>
        </Group>
      </Stack>
    </Modal>
  )
}

export const QrCodeButton = ({ link }: { link: SignupLink }) => {
  const words = useWords(signupWords)
  const [isOpen, setIsOpen] = useState(false)
  return (
    <>
      <Button size="compact-md" variant="default" onClick={() => setIsOpen(true)}>
        {words.code}
      </Button>
      {isOpen && <QrCodeDialog link={link} onClose={() => setIsOpen(false)} />}
    </>
  )
}
