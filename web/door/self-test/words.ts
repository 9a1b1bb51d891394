import { defineWords } from '../../ui/language.ts'

export const words = defineWords(
  {
    title: 'Self-test',
    intro: 'Run it on each phone in the afternoon. All of it should say “good”.',
    run: 'Run the test',
    back: 'Back',
    good: 'good',
    bad: 'look at it',
    running: 'running…',
    checks: {
      camera: 'Camera',
      sound: 'Sound',
      storage: 'Storage',
      clock: 'Clock',
      line: 'Line',
      offline: 'Without a line',
    },
    said: {
      cameraGood: 'It gives a picture.',
      cameraBad: 'No picture. Allow the camera in the settings of the browser.',
      soundGood: 'You should have heard a rising sound. If not: turn the volume up, silent mode off.',
      soundBad: 'The browser allows no sound.',
      storageGood: (free: string) => `It can be written, ${free} free, and the system will not clear it.`,
      storageWeak: (free: string) =>
        `It can be written, ${free} free, but the system may clear it. Install the app on the home screen.`,
      storageBad: 'Nothing can be written. Make room on this phone.',
      clockGood: 'The clock is right.',
      clockBad: (minutes: number) =>
        `The clock is wrong by ${minutes === 1 ? 'a minute' : `${minutes} minutes`}. Scans count by the server’s clock; set it right all the same.`,
      lineGood: (ms: number) => `Foyer answers within ${ms} ms.`,
      lineBad: 'Foyer cannot be reached. The door works without, until the snapshot is too old.',
      offlineGood: 'The app is kept on this phone and starts in flight mode.',
      offlineBad: 'The app is not kept on this phone yet. Leave it open with a line for a minute.',
    },
  },
  {
    title: 'Selbsttest',
    intro: 'Führe ihn am Nachmittag auf jedem Gerät aus. Überall sollte „gut“ stehen.',
    run: 'Test starten',
    back: 'Zurück',
    good: 'gut',
    bad: 'ansehen',
    running: 'läuft…',
    checks: { camera: 'Kamera', sound: 'Ton', storage: 'Speicher', clock: 'Uhr', line: 'Netz', offline: 'Ohne Netz' },
    said: {
      cameraGood: 'Sie gibt ein Bild.',
      cameraBad: 'Kein Bild. Erlaube die Kamera in den Einstellungen des Browsers.',
      soundGood: 'Du solltest einen steigenden Ton gehört haben. Sonst: lauter stellen, Stummschaltung aus.',
      soundBad: 'Der Browser erlaubt keinen Ton.',
      storageGood: (free: string) => `Beschreibbar, ${free} frei, und das System räumt ihn nicht ab.`,
      storageWeak: (free: string) =>
        `Beschreibbar, ${free} frei, aber das System darf ihn abräumen. Lege die App auf den Home-Bildschirm.`,
      storageBad: 'Nichts lässt sich schreiben. Schaffe Platz auf dem Gerät.',
      clockGood: 'Die Uhr geht richtig.',
      clockBad: (minutes: number) =>
        `Die Uhr geht um ${minutes === 1 ? 'eine Minute' : `${minutes} Minuten`} falsch. Es zählt die Uhr des Servers; stell sie trotzdem richtig.`,
      lineGood: (ms: number) => `Foyer antwortet in ${ms} ms.`,
      lineBad: 'Foyer ist nicht zu erreichen. Der Einlass geht ohne, bis der Stand zu alt ist.',
      offlineGood: 'Die App liegt auf diesem Gerät und startet im Flugmodus.',
      offlineBad: 'Die App liegt noch nicht auf diesem Gerät. Lass sie mit Netz eine Minute offen.',
    },
  },
)
