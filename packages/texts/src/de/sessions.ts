import type { SessionsTexts } from '../en/sessions.ts'

export const sessions: SessionsTexts = {
  heading: 'Sitzungen',
  lead: 'Die Browser, in denen Sie angemeldet sind. Eine Sitzung endet von selbst nach 12 Stunden ohne Benutzung und nach 14 Tagen. Ein Name hilft, sie zu unterscheiden.',
  thisOne: 'Diese Sitzung',
  other: 'Andere Sitzung',
  startedAt: 'Angemeldet am {time}',
  end: 'Sitzung beenden',
  rename: 'Sitzung benennen',
  done: {
    sessionNamed: 'Der Name der Sitzung ist gespeichert.',
    sessionEnded: 'Die Sitzung ist beendet.',
  },
}
