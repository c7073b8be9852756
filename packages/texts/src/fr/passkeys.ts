import type { PasskeysTexts } from '../en/passkeys.ts'

export const passkeys: PasskeysTexts = {
  heading: 'Clés d’accès',
  lead: 'Une clé d’accès se trouve sur votre téléphone, votre ordinateur ou votre clé de sécurité. Vous vous connectez avec votre empreinte, votre visage ou un code PIN, sans mot de passe à divulguer.',
  none: 'Aucune clé d’accès',
  use: 'Utiliser une clé d’accès',
  failed: 'Aucune clé d’accès n’a été utilisée. Vous pouvez réessayer.',
  refused: 'Cette clé d’accès n’a pas été acceptée. Réessayez, ou connectez-vous autrement.',
  expired: 'Cette page est restée ouverte trop longtemps. Utilisez à nouveau votre clé d’accès.',
  add: 'Ajouter une clé d’accès',
  nameHint: 'Pour la distinguer des autres, par exemple «\u00a0Téléphone\u00a0».',
  addedAt: 'Ajoutée {time}',
  usedAt: 'dernière utilisation {time}',
  unused: 'pas encore utilisée',
  otherHost: 'Pour {host}\u00a0: elle ne fonctionne pas ici.',
  corrupted:
    'Certaines clés d’accès ne peuvent pas être affichées, car leurs données sont endommagées. Adressez-vous à l’exploitant de ce service.',
  limitReached:
    'Vous avez {limit} clés d’accès, et il ne peut pas y en avoir davantage. Supprimez-en une que vous n’utilisez pas.',
  noneHere:
    'Ce navigateur ne peut pas créer de clés d’accès. Ouvrez cette page dans un autre navigateur ou sur un autre appareil.',
  notMade: 'Aucune clé d’accès n’a été créée. Vous pouvez réessayer.',
  known: 'Cet appareil a déjà une clé d’accès pour votre compte.',
  notAdded: 'La clé d’accès n’a pas été ajoutée. Veuillez réessayer.',
  confirmed: 'Merci. Appuyez encore une fois sur «\u00a0Ajouter une clé d’accès\u00a0».',
  delete: 'Supprimer',
  deleteHeading: 'Supprimer cette clé d’accès\u00a0?',
  deleteLead:
    'Personne ne pourra plus se connecter avec elle, et les sessions commencées avec elle prennent fin, sauf celle-ci. Supprimez-la aussi sur votre appareil.',
  last: 'Cette clé d’accès est le seul moyen de vous connecter à votre compte. Ajoutez d’abord un autre moyen.',
  done: {
    passkeyAdded: 'La clé d’accès est ajoutée. Vous pouvez désormais vous connecter avec elle.',
    passkeyDeleted: 'La clé d’accès est supprimée.',
  },
}
