import { defineWords } from '../../ui/language.ts'

export const words = defineWords(
  {
    title: 'This phone was revoked',
    gone: 'Names and tickets are gone from it.',
    unsent: (count: number) =>
      count === 1 ? '1 scan has not reached the server.' : `${count} scans have not reached the server.`,
    how: 'Save them and give the file to the office: an owner or manager hands it in, and it counts as if this phone had sent it.',
    save: 'Save the scans',
    copy: 'Copy the scans',
    wipe: 'They are safe: wipe this phone',
    nothing: 'Nothing is left on it.',
    again: 'Pair anew',
  },
  {
    title: 'Dieses Gerät wurde gesperrt',
    gone: 'Namen und Tickets sind gelöscht.',
    unsent: (count: number) =>
      count === 1 ? '1 Scan hat den Server nicht erreicht.' : `${count} Scans haben den Server nicht erreicht.`,
    how: 'Speichere sie und gib die Datei im Büro ab: dort wird sie eingereicht und zählt, als hätte dieses Gerät sie gesendet.',
    save: 'Scans speichern',
    copy: 'Scans kopieren',
    wipe: 'Sie sind in Sicherheit: Gerät leeren',
    nothing: 'Nichts ist mehr darauf.',
    again: 'Neu koppeln',
  },
)
