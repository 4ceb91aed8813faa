const { EXCHANGE_URL = 'http://127.0.0.1:8080', TOKEN_ID = '' } = process.env;

const socket = new WebSocket(`${EXCHANGE_URL.replace('http', 'ws')}/ws/market`);
const subscription = { type: 'market', assets_ids: [TOKEN_ID] };
socket.onopen = () => socket.send(JSON.stringify(subscription));
const book = await new Promise((resolve) => {
  socket.onmessage = ({ data }) => resolve(JSON.parse(data));
});
console.log(book);
socket.close();
