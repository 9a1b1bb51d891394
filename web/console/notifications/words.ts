import { defineWords } from '../../ui/words.ts'

export const inboxWords = defineWords(
  {
    title: 'Inbox',
    unread: (count: string) => `${count} unread`,
    allRead: 'Mark all as read',
    list: 'Notifications',
    isNew: 'New',
    markRead: 'Mark as read',
    markReadOne: (title: string) => `Mark as read: ${title}`,
    none: 'Nothing has come',
    noneMore: 'You hear here when somebody gives you a task, or when guests sign up and wait for a decision.',
    toTasks: 'To the tasks',
    kinds: {
      task_assigned: 'A task for you',
      signup_pending: 'Somebody signed up',
      addition_pending: 'More companions',
    },
    gaveYou: (who: string, title: string) => `${who} gave you “${title}”`,
    keys: { read: 'Mark as read', allRead: 'Mark all as read' },
    push: {
      title: 'In this browser',
      off: 'Be told as soon as something comes, also while Foyer is closed.',
      on: 'This browser tells you as soon as something comes.',
      turnOn: 'Show notifications here',
      turnOff: 'Stop',
      denied:
        'This browser is not allowed to show notifications. Allow them for this page in its settings, then come back.',
      missing: 'This browser cannot show notifications. On an iPhone, put Foyer on the home screen first.',
      failed: 'The browser could not sign up for notifications. Try again later.',
      turnedOn: 'Notifications are shown in this browser.',
      turnedOff: 'This browser shows no more notifications.',
    },
  },
  {
    title: 'Posteingang',
    unread: (count) => `${count} ungelesen`,
    allRead: 'Alle als gelesen markieren',
    list: 'Benachrichtigungen',
    isNew: 'Neu',
    markRead: 'Gelesen',
    markReadOne: (title) => `Als gelesen markieren: ${title}`,
    none: 'Nichts ist gekommen',
    noneMore:
      'Hier steht, wenn dir jemand eine Aufgabe gibt oder Gäste sich anmelden und auf eine Entscheidung warten.',
    toTasks: 'Zu den Aufgaben',
    kinds: {
      task_assigned: 'Eine Aufgabe für dich',
      signup_pending: 'Jemand hat sich angemeldet',
      addition_pending: 'Weitere Begleitung',
    },
    gaveYou: (who, title) => `${who} hat dir „${title}“ gegeben`,
    keys: { read: 'Als gelesen markieren', allRead: 'Alle als gelesen markieren' },
    push: {
      title: 'In diesem Browser',
      off: 'Sofort erfahren, wenn etwas kommt, auch wenn Foyer geschlossen ist.',
      on: 'Dieser Browser meldet sich, sobald etwas kommt.',
      turnOn: 'Benachrichtigungen zeigen',
      turnOff: 'Beenden',
      denied:
        'Dieser Browser darf keine Benachrichtigungen zeigen. Erlaube sie für diese Seite in seinen Einstellungen und komm dann wieder.',
      missing:
        'Dieser Browser kann keine Benachrichtigungen zeigen. Auf einem iPhone muss Foyer erst auf den Home-Bildschirm.',
      failed: 'Der Browser konnte sich nicht für Benachrichtigungen anmelden. Versuche es später noch einmal.',
      turnedOn: 'Benachrichtigungen werden in diesem Browser gezeigt.',
      turnedOff: 'Dieser Browser zeigt keine Benachrichtigungen mehr.',
    },
  },
)
