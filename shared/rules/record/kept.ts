/** What a record of AI use holds of each session, and for how long. */
export const recordHolds =
  'what it was for, the client reference (your file number for a client, never a name), whether you checked the output, your remarks, and evidence packs made of them';
export const recordKept = 'seven years';

/** Where what an adviser types goes, for whoever asks about clients' data: it never passes through this service. */
export const inputGoes =
  'What you type into a tool goes to that tool’s own server. The tool’s page says who makes it, what its maker stores, and for how long.';

/** What is stored of a session, for whoever asks about clients' data. */
export const recordStays = `We keep the record of AI use of each session for ${recordKept}, longer while its practice has a legal hold: ${recordHolds}.`;
