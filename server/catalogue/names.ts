import unhomoglyph from 'unhomoglyph';

/** How a name looks: its skeleton (Unicode TR 39), without punctuation and what nobody sees. */
const skeletonOf = (text: string) =>
  unhomoglyph(
    text
      .normalize('NFKC')
      .normalize('NFD')
      .replaceAll(/[\p{Default_Ignorable_Code_Point}\p{Mn}\p{C}\s]/gu, ''),
  )
    .normalize('NFD')
    .replaceAll(/\p{P}/gu, '')
    .toLowerCase();

/** A name is read in whatever case: `AI` looks like `Al`, and `fact find ai` is the same name. */
const looksOf = (name: string) => [name, name.toLowerCase(), name.toUpperCase()].map(skeletonOf);

/** Whether somebody may take one name for the other. */
export function lookAlike(one: string, other: string): boolean {
  const looks = looksOf(other);
  return looksOf(one).some((look) => looks.includes(look));
}
