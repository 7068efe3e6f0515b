const arrived = new Set<string>();

const arrive = async (file: string) => {
  if (arrived.has(file) || document.querySelector(`[href="${file}"], [src="${file}"]`)) return;
  // oxlint-disable-next-line no-restricted-globals -- no call to the server, but a file of its pages
  const answer = await fetch(file);
  if (!answer.ok) throw new Error(`${file} did not arrive: ${answer.status}`);
  await answer.arrayBuffer();
  arrived.add(file);
};

/**
 * Replaces Vite's own helper around each `import()`; `files` are what the code consists of. They are fetched first, so that the browser
 * imports them from its cache: once a browser has failed to import a file, it never asks for it again.
 */
export const preload = async <T>(load: () => Promise<T>, files: readonly string[] = []): Promise<T> => {
  // Code without dependencies comes without a list; its file is then named only inside the function.
  const own = /import\(["'`]\.\/([^"'`]+)/.exec(load.toString())?.[1];
  const all = files.length > 0 ? files : own ? [`assets/${own}`] : [];
  await Promise.all(all.map((file) => arrive(`/${file}`)));
  return load();
};
