import { expect, test } from 'vitest'
import { renderMail } from './templates.ts'

const invitation = {
  language: 'en' as const,
  title: 'Come & see <us>',
  preheader: 'A "quiet" hint',
  paragraphs: ['Dear Zoë,\nwelcome.', '<script>alert(1)</script>'],
  button: { label: 'Accept', url: 'https://foyer.example/invitations/x?a=1&b=2' },
  footer: 'Sent by Foyer.',
}

test('a letter says the same as a page and as plain text', () => {
  const { text, html } = renderMail(invitation)
  expect(text).toBe(
    'Come & see <us>\n\nDear Zoë,\nwelcome.\n\n<script>alert(1)</script>\n\nAccept:\nhttps://foyer.example/invitations/x?a=1&b=2\n\n-- \nSent by Foyer.\n',
  )
  expect(html).toContain('Dear Zoë,<br>welcome.')
  expect(html).toContain('href="https://foyer.example/invitations/x?a=1&amp;b=2"')
  expect(html).toContain('Sent by Foyer.')
})

test('nothing that is given becomes markup', () => {
  const { html } = renderMail(invitation)
  expect(html).not.toContain('<script>')
  expect(html).toContain('&lt;script&gt;alert(1)&lt;/script&gt;')
  expect(html).toContain('<title>Come &amp; see &lt;us&gt;</title>')
  expect(html).toContain('A &quot;quiet&quot; hint')
})

test('what is absent leaves no trace', () => {
  const { text, html } = renderMail({ language: 'en', title: 'Hello', paragraphs: ['One line.'] })
  expect(text).toBe('Hello\n\nOne line.\n')
  expect(html).not.toContain('undefined')
  expect(html).not.toContain('<a ')
})

test('a letter can be read in the dark and in any direction', () => {
  const { html } = renderMail({ ...invitation, language: 'de' })
  expect(html).toContain('prefers-color-scheme: dark')
  expect(html).toContain('<html lang="de" dir="auto">')
})

test('a button leads to a web page and nowhere else', () => {
  const button = { label: 'Click', url: 'javascript:alert(1)' }
  expect(() => renderMail({ ...invitation, button })).toThrow('must lead to a web page')
})
