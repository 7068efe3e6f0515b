/** What the Learn More dialogs say beyond the catalogue: what the tool does, and whose work it is. */
export const toolStories: Record<string, { does: string; audience: string }> = {
  'risk-profile-ai': {
    does: 'Your client answers a guided questionnaire. You get a scored profile with the reasons behind it, inconsistent answers pointed out, and a report for the file.',
    audience: 'Advisers who recommend investments and must show why a recommendation suits the client.',
  },
  'fact-find-ai': {
    does: 'Your client fills in the fact find online, before you meet. What is missing is followed up, and you start with a summary of goals and circumstances.',
    audience: 'Advisers who take on new clients or prepare annual reviews.',
  },
  'file-note-ai': {
    does: 'You give it the points of a conversation. It writes a structured file note, lists the follow-up tasks and checks the wording.',
    audience: 'Advisers and support staff who document client conversations every day.',
  },
  'pre-fill-ai': {
    does: 'It fills provider forms from client data you already have, lists what is missing before you send them, and lets clients sign digitally.',
    audience: 'Practices that send applications and change forms to product providers.',
  },
  'lost-money-ai': {
    does: 'It searches the registers of lost money and lost superannuation, and matches what it finds to your client.',
    audience: 'Advisers who want a good reason to call a client, at no cost to either.',
  },
};
