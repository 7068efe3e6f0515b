/** What an act will do, before it is done. */
export const Preview = ({ sentences }: { sentences: readonly string[] }) => (
  <ul className="figures list-disc space-y-1 rounded bg-surface-subtle py-3 pr-3 pl-8 text-sm">
    {sentences.map((sentence) => (
      <li key={sentence}>{sentence}</li>
    ))}
  </ul>
);
