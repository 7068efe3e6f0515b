/** Pictures of what each of our tools hands over; server/testing/screenshots.ts draws them from the sample tools. */
const pictures = import.meta.glob<string>('./outputs/*.webp', { eager: true, query: '?url', import: 'default' });

type Props = { tool: { id: string; name: string }; caption?: string; className?: string };

/** A sample of what an adviser gets from a tool, its greys turned round in the dark. Tools of other makers have none. */
export const ToolOutput = ({ tool, caption, className }: Props) => {
  const src = pictures[`./outputs/${tool.id}.webp`];
  return (
    src && (
      <figure className={className}>
        <div className="overflow-hidden rounded border bg-surface shadow-faint">
          <img
            src={src}
            width={416}
            height={398}
            alt={`A sample of what ${tool.name} hands over`}
            loading="lazy"
            className="h-auto w-full dark:hue-rotate-180 dark:invert dark:mix-blend-screen"
          />
        </div>
        {caption && <figcaption className="mt-2 text-xs text-muted">{caption}</figcaption>}
      </figure>
    )
  );
};
