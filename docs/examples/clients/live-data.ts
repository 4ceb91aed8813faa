import { type Message, RealTimeDataClient } from '@polymarket/real-time-data-client';

const { EXCHANGE_URL = 'http://127.0.0.1:8080' } = process.env;

const subscriptions = [{ topic: 'activity', type: 'trades' }];
const trade = await new Promise<Message>((resolve) => {
  new RealTimeDataClient({
    host: `${EXCHANGE_URL.replace('http', 'ws')}/ws/live`,
    onConnect: (client) => client.subscribe({ subscriptions }),
    onMessage: (client, message) => {
      if (message.type !== 'trades') return;
      client.disconnect();
      resolve(message);
    },
  }).connect();
});
console.log(trade.payload);
