import { defineWords } from '../words.ts'

export const imageWords = defineWords(
  {
    add: 'Choose a picture',
    drop: 'or drop one here, or paste it',
    remove: (label: string) => `Remove ${label}`,
    uploading: (label: string) => `Uploading ${label}`,
    uploaded: 'Uploaded; shown after saving.',
    elsewhere: 'Kept elsewhere:',
    refused: 'This could not be taken: PNG, JPEG, GIF, WebP or AVIF up to 20 MB.',
    nth: (n: number) => `picture ${n}`,
  },
  {
    add: 'Bild wählen',
    drop: 'oder hierher ziehen, oder einfügen',
    remove: (label) => `${label} entfernen`,
    uploading: (label) => `${label} wird hochgeladen`,
    uploaded: 'Hochgeladen; zu sehen nach dem Speichern.',
    elsewhere: 'Liegt anderswo:',
    refused: 'Das ging nicht: PNG, JPEG, GIF, WebP oder AVIF bis 20 MB.',
    nth: (n) => `Bild ${n}`,
  },
)
