import { createServer, type Socket } from 'node:net';
import { listenLocally } from './ports.ts';

export type ReceivedMail = { from: string; to: string[]; data: string };
export type SmtpServer = { url: string; received: ReceivedMail[]; close(): Promise<void> };

/** A mail server on a real socket. `answerTo` may answer a recipient with something other than 250. */
export async function startSmtpServer(answerTo: (address: string) => string = () => '250 OK'): Promise<SmtpServer> {
  const received: ReceivedMail[] = [];
  const { port, stop } = await listenLocally(createServer((socket) => converse(socket, received, answerTo)));
  return { url: `smtp://127.0.0.1:${port}`, received, close: stop };
}

function converse(socket: Socket, received: ReceivedMail[], answerTo: (address: string) => string): void {
  let buffer = '';
  let mail: ReceivedMail = { from: '', to: [], data: '' };
  let inData = false;
  const say = (line: string) => socket.write(`${line}\r\n`);
  const addressIn = (line: string) => /<([^>]*)>/.exec(line)?.[1] ?? '';

  const command = (line: string) => {
    const verb = line.slice(0, 4).toUpperCase();
    if (verb === 'EHLO' || verb === 'HELO') say('250 test.example');
    else if (verb === 'MAIL') {
      mail = { from: addressIn(line), to: [], data: '' };
      say('250 OK');
    } else if (verb === 'RCPT') {
      const answer = answerTo(addressIn(line));
      if (answer.startsWith('250')) mail.to.push(addressIn(line));
      say(answer);
    } else if (verb === 'DATA') {
      inData = true;
      say('354 go on');
    } else if (verb === 'QUIT') {
      say('221 bye');
      socket.end();
    } else say('250 OK');
  };

  socket.on('data', (chunk) => {
    buffer += chunk.toString('utf8');
    for (;;) {
      const end = inData ? '\r\n.\r\n' : '\r\n';
      const at = buffer.indexOf(end);
      if (at < 0) return;
      const part = buffer.slice(0, at);
      buffer = buffer.slice(at + end.length);
      if (inData) {
        inData = false;
        received.push({ ...mail, data: part });
        say('250 taken');
      } else command(part);
    }
  });
  say('220 test.example');
}
