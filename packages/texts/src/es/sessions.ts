import type { SessionsTexts } from '../en/sessions.ts'

export const sessions: SessionsTexts = {
  heading: 'Sesiones',
  lead: 'Los navegadores en los que ha iniciado sesión. Una sesión se cierra sola tras 12 horas sin uso y a los 14 días. Un nombre ayuda a distinguirlas.',
  thisOne: 'Esta sesión',
  other: 'Otra sesión',
  startedAt: 'Iniciada el {time}',
  end: 'Cerrar la sesión',
  rename: 'Nombrar la sesión',
  done: {
    sessionNamed: 'El nombre de la sesión se ha guardado.',
    sessionEnded: 'La sesión se ha cerrado.',
  },
}
