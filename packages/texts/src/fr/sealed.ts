import type { SealedTexts } from '../en/sealed.ts'

export const sealed: SealedTexts = {
  box: 'Chiffrer dans ce navigateur',
  hint: 'Ce serveur ne peut alors pas le lire. Sa clé n’est que dans le lien.',
  readable: 'Ce serveur peut le lire aussi.',
  noDraft:
    'Un brouillon ne peut pas être chiffré dans le navigateur. Pour en garder un, décochez cette case.',
  encrypting: 'Chiffrement…',
  keyNow: 'Copiez le lien maintenant. Sa clé n’est pas enregistrée et ne pourra plus être affichée.',
  keyElsewhere: 'La clé n’est que dans le lien que vous avez copié.',
  inBrowser: 'Chiffré dans le navigateur',
  inList: 'chiffré dans le navigateur',
}
