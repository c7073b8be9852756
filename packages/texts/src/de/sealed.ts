import type { SealedTexts } from '../en/sealed.ts'

export const sealed: SealedTexts = {
  box: 'In diesem Browser verschlüsseln',
  hint: 'Dann kann dieser Server sie nicht lesen. Ihr Schlüssel steht nur im Link.',
  readable: 'Auch dieser Server kann ihn lesen.',
  noDraft:
    'Ein Entwurf lässt sich nicht im Browser verschlüsseln. Um einen zu behalten, entfernen Sie dort das Häkchen.',
  encrypting: 'Wird verschlüsselt …',
  keyNow:
    'Kopieren Sie den Link jetzt. Sein Schlüssel wird nicht gespeichert und lässt sich nicht noch einmal anzeigen.',
  keyElsewhere: 'Der Schlüssel steht nur in dem Link, den Sie kopiert haben.',
  inBrowser: 'Im Browser verschlüsselt',
  inList: 'im Browser verschlüsselt',
}
