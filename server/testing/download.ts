import type { Agent } from './test-app.ts';

/** A file that a call answers with, as its bytes, with what the browser is told about it. */
export async function download(agent: Agent, address: string) {
  const { body, headers } = await agent
    .get(address)
    .buffer(true)
    .parse((response, done) => {
      const pieces: Buffer[] = [];
      response.on('data', (piece: Buffer) => pieces.push(piece));
      response.on('end', () => done(null, Buffer.concat(pieces)));
    })
    .expect(200);
  return {
    body: body as Buffer,
    type: headers['content-type'] as string,
    name: headers['content-disposition'] as string,
  };
}
