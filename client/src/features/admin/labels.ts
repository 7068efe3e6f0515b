const sentenceCase = (words: string) => words.charAt(0).toUpperCase() + words.slice(1);

/** `admin.free_access_granted` → `Admin: free access granted`. */
export const actionLabel = (action: string) => {
  const [noun = '', ...verb] = action.split('.');
  const words = verb
    .join(' ')
    .replaceAll('_', ' ')
    .replace(/\bapi\b/, 'API');
  return words === '' ? sentenceCase(noun) : `${sentenceCase(noun)}: ${words}`;
};
