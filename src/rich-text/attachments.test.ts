import { expect, test } from 'vitest'
import { textWithoutAttachments, parseRichText, showRichText, renderForStorage } from './attachments.ts'
import { TooMuchMarkup } from './parse.ts'

const file = { key: 'k1', filename: 'plan <b>.pdf' }
const shown = { ...file, sgid: 's1', contentType: 'application/pdf', byteSize: 9, url: '/f/1', isImage: false }

const textOf = (markup: string) => renderForStorage(parseRichText(markup), () => null).text

test('text without tags keeps its line breaks and spaces', () => {
  const written = parseRichText('500 pieces,\r\n  **blue**\n\n& 3 < 4')
  expect(renderForStorage(written, () => null)).toEqual({
    html: '500 pieces,<br>  **blue**<br><br>&amp; 3 &lt; 4',
    text: '500 pieces,\n  **blue**\n\n& 3 < 4',
  })
  expect(written.sgids).toEqual([])
  expect(textOf('AT&amp;T')).toBe('AT&T')
})

test('a mail address in brackets is text, and no tag', () => {
  const call = 'Call Jane <jane@neue-halle.example>\nand Bob <b@x.example>'
  expect(textOf(call)).toBe(call)
  expect(textOf('<p>Jane <jane@neue-halle.example></p>')).toBe('Jane <jane@neue-halle.example>')
  const kept = renderForStorage(parseRichText('<img@x onerror=alert(1)> <a@b.c>'), () => null)
  expect(kept).toEqual({ html: ' &#x3C;a@b.c>', text: '<a@b.c>' })
})

test('lines in divs stay lines', () => {
  expect(textOf('<div>One</div><div>Two <b>bold</b></div>')).toBe('One\n\nTwo bold')
})

test('words that a gap which must not break or the border of a cell keeps apart stay apart', () => {
  expect(textOf('Bring&nbsp;<b>500</b>&nbsp;pieces')).toBe('Bring 500 pieces')
  expect(textOf('<b>Door</b>&nbsp;<i>20:00</i>')).toBe('Door 20:00')
  expect(textOf('<p>One</p><p>&nbsp;</p><p>Two</p>')).toBe('One\n\nTwo')
  const table = '<table><tr><th>Door</th><td>20:00</td></tr><tr><th>Show</th><td>21:00</td></tr></table>'
  expect(renderForStorage(parseRichText(table), () => null)).toEqual({
    html: '<p>Door 20:00</p><p>Show 21:00</p>',
    text: 'Door 20:00\n\nShow 21:00',
  })
})

test('an attachment is marked where it stands, and what shows it inside is dropped', () => {
  const written = parseRichText(
    '<p>before <action-text-attachment sgid="a"><img src="x"></action-text-attachment> after</p>',
  )
  expect(written.sgids).toEqual(['a'])
  const kept = renderForStorage(written, () => file)
  expect(kept.text).toBe('before [plan <b>.pdf] after')
  expect(textWithoutAttachments(written)).toBe('before  after')

  const again = parseRichText(showRichText(kept.html, [shown]))
  expect(again.sgids).toEqual(['s1'])
  expect(renderForStorage(again, () => file)).toEqual(kept)
})

test('an attachment that was never closed does not swallow the text behind it', () => {
  const written = parseRichText('<action-text-attachment sgid="a">the rest <b>stays</b>')
  expect(renderForStorage(written, () => file).text).toBe('[plan <b>.pdf]the rest stays')
})

test('an attachment that stands for nothing leaves nothing behind', () => {
  const written = parseRichText('a <action-text-attachment sgid="garbage"></action-text-attachment>b')
  expect(renderForStorage(written, () => null)).toEqual({ html: 'a b', text: 'a b' })
})

test('a name in a file shows as text', () => {
  const kept = renderForStorage(parseRichText('<action-text-attachment sgid="a"></action-text-attachment>'), () => file)
  expect(showRichText(kept.html, [shown])).toContain('plan &#x3C;b>.pdf</a>')
  expect(showRichText(kept.html, [])).toBe('')
})

test('nobody can write a marker or a mark by hand', () => {
  const forged = '<action-text-attachment data-file="k1"></action-text-attachment>\uE0000\uE001<p data-file="k1">x</p>'
  const kept = renderForStorage(parseRichText(forged), () => null)
  expect(kept.html).toBe('\uE0000\uE001<p>x</p>')
})

test.each([
  ['nested by the thousand', `${'<b>'.repeat(16_000)}word`],
  ['nested a little too deep', `${'<blockquote>'.repeat(200)}word`],
  ['by the ten thousand', `${'<i></i>'.repeat(20_001)}word`],
])('markup %s is refused at once', (_how, markup) => {
  const start = process.cpuUsage()
  expect(() => parseRichText(markup)).toThrow(TooMuchMarkup)
  expect(process.cpuUsage(start).user).toBeLessThan(1_000_000)
})

test('much markup around much text is fine, and quickly read', () => {
  const start = process.cpuUsage()
  const text = textOf(`<p>${'<b>word</b> '.repeat(4_000)}</p>`)
  expect(text).toHaveLength(19_999)
  expect(process.cpuUsage(start).user).toBeLessThan(1_000_000)
})

test.each([
  ['<p>One</p><p>Two<br>Three</p>', 'One\n\nTwo\nThree'],
  ['<ul><li>one</li><li>two<ul><li>inner</li></ul></li></ul><p>after</p>', 'one\ntwo\ninner\n\nafter'],
  ['<p>a  <b> b </b>\n c</p>', 'a b c'],
  ['<pre>a\n  b</pre>c', 'a\n  b\n\nc'],
  ['<h2>Title</h2>text<br><br>more', 'Title\n\ntext\n\nmore'],
])('%s reads as lines of text', (markup, text) => {
  expect(textOf(markup)).toBe(text)
})
