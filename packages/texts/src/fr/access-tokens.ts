import type { AccessTokensTexts } from '../en/access-tokens.ts'

export const accessTokens: AccessTokensTexts = {
  heading: 'Jetons d’accès',
  lead: 'Les programmes utilisent l’API avec un jeton d’accès. Toute personne qui a un jeton peut faire ce qu’il autorise\u00a0: traitez-le comme un mot de passe.',
  none: {
    heading: 'Aucun jeton d’accès',
    lead: 'Créez-en un pour utiliser l’API depuis un programme ou un terminal.',
  },
  newHeading: 'Nouveau jeton d’accès',
  create: 'Nouveau jeton',
  name: 'Nom',
  nameHint: 'À quoi il sert, par exemple le nom du programme.',
  scopes: 'Autorisations',
  read: 'Lister et consulter les dossiers et les messages (read)',
  write: 'Créer et supprimer des messages (write)',
  expires: 'Expiration',
  never: 'Jamais',
  afterDays: {
    one: 'Après {count} jour',
    many: 'Après {count} de jours',
    other: 'Après {count} jours',
  },
  revoke: 'Supprimer',
  revokeHeading: 'Supprimer ce jeton d’accès\u00a0?',
  revokeLead: 'Les programmes qui l’utilisent seront refusés dès maintenant. Cette action est irréversible.',
  createdAt: 'Créé le {time}',
  expiresAt: 'expire le {time}',
  expiredAt: 'expiré le {time}',
  revokedAt: 'supprimé le {time}',
  lastUsedAt: 'dernière utilisation le {time}',
  unused: 'jamais utilisé',
  shownOnce:
    'Voici votre nouveau jeton d’accès. Il n’est affiché que maintenant\u00a0: copiez-le et gardez-le en lieu sûr.',
  copy: 'Copier le jeton',
  copyFailed: 'La copie n’a pas fonctionné. Veuillez sélectionner le jeton et le copier vous-même.',
  tryIt: 'L’essayer dans un terminal',
  finish: 'Terminé',
  done: {
    tokenRevoked: 'Le jeton d’accès est supprimé.',
  },
}
