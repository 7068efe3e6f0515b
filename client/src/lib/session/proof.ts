import { createStore } from '#client/lib/session/store.ts';

/** Answers the question: true once the person has proved who they are, false if they decline. */
type Asked = { answer: (proved: boolean) => void };

const asked = createStore<Asked | null>(null);
let answered: Promise<boolean> | null = null;

/** The open question, for the one dialog that asks it. */
export const useProofQuestion = asked.use;

/** Asks in place for proof of who is here. Calls that need it at the same time share one dialog. */
export const askProof = (): Promise<boolean> => {
  answered ??= new Promise<boolean>((resolve) => {
    asked.set({
      answer: (proved) => {
        answered = null;
        asked.set(null);
        resolve(proved);
      },
    });
  });
  return answered;
};
