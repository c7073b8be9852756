import type { DraftsTexts } from '../en/drafts.ts'

export const drafts: DraftsTexts = {
  title: 'Brouillon',
  lead: 'Aucun destinataire ne peut lire un brouillon\u00a0: il reçoit un lien quand vous le partagez. Toute personne qui contrôle le serveur peut lire ce qui y passe.',
  share: 'Partager',
  shareHint: 'Enregistre le brouillon et crée son lien.',
  hidden:
    'Ce brouillon a un mot de passe. Son texte reste caché tant que vous ne l’avez pas entré\u00a0; vous pouvez modifier tout le reste et partager le brouillon sans le mot de passe.',
  disabled:
    'Cent mots de passe erronés ont été entrés pour ce brouillon. Son texte ne peut plus être affiché ni partagé. Entrez de nouveau le texte avec un mot de passe, ou supprimez le brouillon.',
  showNote: 'Afficher le texte',
  passwordAgain: 'Entrez de nouveau le mot de passe pour enregistrer le texte, ou supprimez-le.',
  changed:
    'Ce brouillon a été modifié dans une autre fenêtre après que vous l’avez ouvert ici. Rien n’a encore été enregistré\u00a0: votre saisie figure toujours ci-dessous, et l’enregistrer maintenant remplacera les autres modifications.',
  gone: 'Ce brouillon a été supprimé ou partagé dans une autre fenêtre. Votre saisie figure toujours ci-dessous\u00a0: vous pouvez l’enregistrer comme nouveau brouillon ou la partager.',
  removePassword: 'Supprimer le mot de passe',
  delete: 'Supprimer le brouillon',
  deleteHeading: 'Supprimer ce brouillon\u00a0?',
  deleteLead: 'Son contenu sera supprimé aussitôt. Cette action est irréversible.',
  list: {
    heading: 'Brouillons',
    none: {
      heading: 'Aucun brouillon ici',
      lead: 'Pour en écrire un, choisissez «\u00a0Garder en brouillon\u00a0» sur la page d’un nouveau message.',
    },
    more: 'Plus de brouillons',
  },
  done: {
    draftSaved: 'Le brouillon est enregistré.',
    draftNotShared: 'Le brouillon est enregistré, mais il n’a pas pu être partagé. Veuillez réessayer.',
    draftDeleted: 'Le brouillon est supprimé.',
  },
}
