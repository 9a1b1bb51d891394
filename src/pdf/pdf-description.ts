import type { Language } from '../languages/rules.ts'
import { type PdfFile, pdfText, referenceTo } from './pdf-file.ts'

export interface PdfInfo {
  language: Language
  title: string
  author: string
}

const MAKER = 'Foyer'

/** What programs show of a document without opening it, in the words of its first version. */
export const writeInfo = (file: PdfFile, { title, author }: PdfInfo): number =>
  file.add(`<<
/Title ${pdfText(title)}
/Author ${pdfText(author)}
/Creator (${MAKER})
/Producer (${MAKER})
/CreationDate (D:${new Date().toISOString().replaceAll(/[-:T]|\..*/g, '')}Z)
>>`)

/** The catalogue: where everything is, which language it is in, and that it can be read aloud. */
export const describePdf = (
  file: PdfFile,
  info: PdfInfo,
  { pagesNumber, treeNumber }: { pagesNumber: number; treeNumber: number },
): number => {
  const metadata = file.addStream(Buffer.from(packetOf(info)), '/Type /Metadata\n/Subtype /XML\n')
  return file.add(`<<
/Type /Catalog
/Pages ${referenceTo(pagesNumber)}
/Lang (${info.language})
/MarkInfo <</Marked true>>
/StructTreeRoot ${referenceTo(treeNumber)}
/ViewerPreferences <</DisplayDocTitle true>>
/Metadata ${referenceTo(metadata)}
>>`)
}

const UNSPEAKABLE = /[\p{Cc}\ufffe\uffff]/gu
const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' }

const escaped = (text: string) =>
  text
    .toWellFormed()
    .replaceAll(UNSPEAKABLE, '')
    .replaceAll(/[&<>]/g, (sign) => ENTITIES[sign]!)

/** The same once more as later versions of the format want it. */
const packetOf = ({ title, author }: PdfInfo): string => `<?xpacket begin="\ufeff" id="W5M0MpCehiHzreSzNTczkc9d"?>
<x:xmpmeta xmlns:x="adobe:ns:meta/">
<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
<rdf:Description rdf:about="" xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:pdf="http://ns.adobe.com/pdf/1.3/">
<dc:title><rdf:Alt><rdf:li xml:lang="x-default">${escaped(title)}</rdf:li></rdf:Alt></dc:title>
<dc:creator><rdf:Seq><rdf:li>${escaped(author)}</rdf:li></rdf:Seq></dc:creator>
<pdf:Producer>${MAKER}</pdf:Producer>
</rdf:Description>
</rdf:RDF>
</x:xmpmeta>
<?xpacket end="w"?>`
