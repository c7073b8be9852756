import type { SessionsTexts } from '../en/sessions.ts'

export const sessions: SessionsTexts = {
  heading: 'Sessions',
  lead: 'Les navigateurs dans lesquels votre compte est connecté. Une session se ferme d’elle-même après 12 heures sans utilisation, et au bout de 14 jours. Un nom aide à les distinguer.',
  thisOne: 'Cette session',
  other: 'Autre session',
  startedAt: 'Connexion le {time}',
  end: 'Fermer la session',
  rename: 'Nommer la session',
  done: {
    sessionNamed: 'Le nom de la session est enregistré.',
    sessionEnded: 'La session est fermée.',
  },
}
