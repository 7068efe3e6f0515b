import { createStore } from '#client/lib/session/store.ts';

/** Answers the question: true once the person has proved who they are, false if they decline. */
type ProofQuestion = { answer: (proved: boolean) => void };

const question = createStore<ProofQuestion | null>(null);
let answered: Promise<boolean> | null = null;

/** The open question, for the one dialog that asks it. */
export const useProofQuestion = question.use;

/** Asks in place for proof of who is here. Calls that need it at the same time share one dialog. */
export const askProof = (): Promise<boolean> => {
  answered ??= new Promise<boolean>((resolve) => {
    question.set({
      answer: (proved) => {
        answered = null;
        question.set(null);
        resolve(proved);
      },
    });
  });
  return answered;
};
