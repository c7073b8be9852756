import type { LinkTexts } from '../en/link.ts'
import { requestPage } from './requests.ts'

export const link: LinkTexts = {
  ready: {
    heading: 'Vous avez un message confidentiel',
    lead: 'Il est encore scellé.',
    from: 'De la part de {name}. Il est encore scellé.',
    readers: 'Toute personne qui a ce lien peut lire le message. Ne le transmettez à personne.',
    readersWithPassword: 'Il ne s’ouvre qu’avec à la fois ce lien et le mot de passe.',
    operator: 'Toute personne qui contrôle le serveur peut le lire à son ouverture.',
    once: 'Il ne peut être ouvert qu’{once}. Ouvrez-le quand vous pourrez en garder une copie.',
    onceWord: 'une seule fois',
    more: {
      one: 'Il peut encore être ouvert {count} fois.',
      many: 'Il peut encore être ouvert {count} de fois.',
      other: 'Il peut encore être ouvert {count} fois.',
    },
    until: 'Il sera supprimé le {time} ({when}).',
    open: 'Ouvrir le message',
    opening: 'Ouverture…',
  },
  again: {
    heading: 'Vous avez déjà ouvert ce message',
    lead: 'L’ouvrir de nouveau compte comme une ouverture de plus, et leur nombre est peut-être limité.',
    open: 'L’ouvrir de nouveau',
  },
  password: {
    label: 'Mot de passe',
    hint: 'Si vous ne l’avez pas, demandez-le à l’expéditeur. N’entrez jamais ici le mot de passe de votre messagerie ou d’un autre compte.',
    show: 'Afficher le mot de passe',
    missing: 'Veuillez entrer le mot de passe.',
    wrong: 'Ce mot de passe n’est pas le bon.',
    wrongAdvice:
      'Les majuscules et les espaces comptent. En cas de doute, demandez à l’expéditeur\u00a0: après plusieurs erreurs, le lien est bloqué pendant un moment.',
  },
  opened: {
    title: 'Message confidentiel',
    from: 'De la part de {name}',
    copy: 'Copier',
    copied: 'Copié',
    copyFailed: 'La copie n’a pas fonctionné. Veuillez sélectionner le texte et le copier vous-même.',
    save: 'Enregistrer dans un fichier',
    select: 'Cliquez sur le texte pour le sélectionner en entier, puis copiez-le.',
    last: 'Il est maintenant supprimé ici. Copiez-le avant de fermer la page.',
    left: {
      one: 'Il peut être ouvert encore {count} fois, jusqu’au {time}.',
      many: 'Il peut être ouvert encore {count} fois, jusqu’au {time}.',
      other: 'Il peut être ouvert encore {count} fois, jusqu’au {time}.',
    },
    unlimited: 'Vous pouvez l’ouvrir de nouveau jusqu’au {time}.',
  },
  files: {
    attached: {
      one: 'Il est accompagné de {count} fichier\u00a0:',
      many: 'Il est accompagné de {count} de fichiers\u00a0:',
      other: 'Il est accompagné de {count} fichiers\u00a0:',
    },
    heading: 'Fichiers',
    save: 'Enregistrer',
    until: 'Vous pouvez enregistrer chaque fichier jusqu’à {time} ({when}), autant de fois que nécessaire.',
    over: 'Les fichiers ne peuvent plus être enregistrés ici.',
    unchecked: 'Personne n’a vérifié ces fichiers. N’ouvrez que ce que vous attendiez.',
    last: 'Il est maintenant supprimé ici. Copiez-le et enregistrez les fichiers avant de fermer la page.',
  },
  gone: {
    heading: 'Il n’y a pas de message à ouvrir ici',
    lead: 'Le lien a peut-être expiré, a été ouvert autant de fois qu’il était permis, ou n’a pas été copié en entier.',
    advice: 'Demandez un nouveau lien à la personne qui vous l’a envoyé.',
    help: 'Pour obtenir de l’aide\u00a0: {contact}.',
  },
  sealed: {
    readers: 'Chiffré dans le navigateur de l’expéditeur. Ce serveur ne peut pas le lire.',
    incomplete:
      'Ce lien est incomplet. La partie après # manque. Demandez le lien entier. Rien n’a été ouvert.',
    insecure: 'Ouvrez ce lien avec https.',
    noScript: 'Ce message demande JavaScript, ou la commande : {command}',
    undecryptable: 'Le texte n’a pas pu être déchiffré',
    advice:
      'Il a été modifié, ou chiffré avec une autre clé. Enregistrez-le tel quel, et prévenez l’expéditeur.',
    saving: 'Enregistrement…',
    fileUndecryptable: 'Le fichier n’a pas pu être déchiffré. Rien n’a été enregistré.',
    fileFailed: 'Le fichier n’a pas pu être récupéré. Veuillez réessayer.',
  },
  keyWrong: {
    heading: 'La clé de ce lien est absente ou fausse',
    lead: 'Rien n’a été ouvert. Demandez à l’expéditeur le lien entier, avec tout ce qui suit le #.',
  },
  locked: {
    heading: 'Ce lien est bloqué pour le moment',
    lead: 'Il y a eu trop de mots de passe erronés. Vous pourrez réessayer à {time} ({when}).',
    advice:
      'Le message est toujours là. En attendant, vous pouvez demander le bon mot de passe à l’expéditeur.',
  },
  crowded: {
    heading: 'Un instant, s’il vous plaît',
    lead: 'Plusieurs tentatives d’ouvrir ce lien sont en cours. Veuillez réessayer dans quelques secondes.',
  },
  busy: {
    heading: 'Le serveur est occupé',
    lead: 'Rien n’a été ouvert et aucune ouverture n’a été comptée. Veuillez réessayer dans quelques secondes.',
  },
  unwritable: {
    heading: 'Le serveur ne peut rien enregistrer pour le moment',
    lead: 'Rien n’a été ouvert ni décompté. Veuillez réessayer plus tard.',
  },
  uncertain: {
    heading: 'La connexion s’est interrompue pendant l’ouverture du message',
    lead: 'Une ouverture a peut-être été comptée, et rien n’a été affiché. Veuillez revenir à la page du lien et réessayer. Si le message n’est plus là, demandez un nouveau lien à l’expéditeur.',
  },
  failed: {
    heading: 'Une erreur s’est produite chez nous',
    lead: 'Vous n’y êtes pour rien. Veuillez réessayer plus tard et, si cela se reproduit, prévenir l’expéditeur.',
  },
  refused: {
    heading: 'Cette demande n’a pas été acceptée',
    lead: 'Elle ne venait pas de la page de ce lien, donc rien n’a été ouvert. Veuillez passer par cette page.',
  },
  unreadable: {
    heading: 'Cette demande n’a pas pu être lue',
    lead: 'Rien n’a été ouvert. Veuillez recommencer depuis la page du lien.',
  },
  request: requestPage,
  retry: 'Réessayer',
  restart: 'Aller à la page du lien',
  unknown: {
    heading: 'Il n’y a pas de page ici',
    lead: 'L’adresse n’a peut-être pas été copiée en entier.',
  },
  language: 'Langue',
  about: 'Sans compte et sans installation.',
}
