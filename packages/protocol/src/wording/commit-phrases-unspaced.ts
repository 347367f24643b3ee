import {
  blesta,
  type CommitPhrase,
  cake,
  cashier,
  dawn,
  decap,
  docuseal,
  glamour,
  jetstream,
  metamask,
  phrasesFrom,
  robosats,
  sushi,
} from './commit-phrase.ts';

/**
 * Chinese, Japanese and Thai, whose stems match anywhere in a text, and Korean, whose endings attach to the
 * word.
 */
export const UNSPACED: readonly CommitPhrase[] = [
  ...phrasesFrom('zh-Hans', cashier('zh_CN'), [
    ['pay', '确认支付', '确认支付'],
    [
      'pay',
      '支付 #',
      '支付 :amount',
      ['^支付$', '立即支付', '立即付款', '去支付', '^付款$', '确认付款', '付款 #'],
    ],
  ]),
  ...phrasesFrom('zh-Hans', dawn('zh-CN'), [
    ['confirm', '结账', '结账'],
    ['confirm', '提交', '提交', ['确认订单']],
    ['send', '^发送', '发送'],
    ['delete', '删除', '删除', ['恢复出厂', '清空']],
  ]),
  ...phrasesFrom('zh-Hant', cashier('zh_TW'), [
    ['pay', '確認支付', '確認支付'],
    ['pay', '支付 #', '支付 :amount', ['^支付$', '立即付款', '確認付款', '^付款$', '付款 #']],
  ]),
  ...phrasesFrom('zh-Hant', dawn('zh-TW'), [
    ['confirm', '結帳', '結帳'],
    ['confirm', '提交', '提交'],
    ['send', '^傳送', '傳送', ['送出']],
    ['delete', '刪除', '刪除', ['恢復出廠', '清空']],
  ]),
  ...phrasesFrom('ja', 'https://tuhan-jyoho.com/225.html', [
    ['order', '今すぐ購入', '今すぐ購入'],
    ['order', '注文を確定', '注文を確定する'],
    ['order', '今すぐ買う', '今すぐ買う'],
  ]),
  ...phrasesFrom('ja', 'https://www.pc-trust.co.jp/shop/contents3/guide01.aspx', [
    ['order', '購入する', 'ゲスト購入する', ['注文する']],
  ]),
  ...phrasesFrom('ja', 'https://jmca.jp/flow/flow09.html', [
    ['pay', '決済する', '決済する', ['支払う', 'お支払いを確定']],
  ]),
  ...phrasesFrom('ja', 'https://note.com/ananeo/n/n88d612ae9f53', [['order', '入札する', '入札する']]),
  ...phrasesFrom('ja', dawn('ja'), [
    ['confirm', '購入手続き', 'ご購入手続きへ', ['確定する']],
    ['send', '送信', '送信する'],
    ['delete', '削除', '削除', ['初期化する', '工場出荷時']],
    ['publish', '投稿する', 'コメントを投稿する', ['公開する', '^公開$']],
  ]),
  ...phrasesFrom('th', dawn('th'), [
    ['pay', '^ชำระเงิน', 'ชำระเงิน'],
    ['send', '^ส่ง', 'ส่ง'],
    ['delete', '^ลบ', 'ลบ'],
  ]),
  ...phrasesFrom('th', cashier('th'), [
    ['pay', '^จ่าย', 'จ่าย :amount'],
    ['confirm', 'ยืนยันการจ่ายเงิน', 'ยืนยันการจ่ายเงิน', ['^ยืนยัน']],
  ]),
  ...phrasesFrom('ko', dawn('ko'), [
    ['pay', '^결제$', '결제', ['결제하*', '결제 #']],
    ['send', '보내기', '보내기', ['전송하*']],
    ['confirm', '제출', '제출'],
    ['delete', '삭제*', '삭제', ['공장 초기화']],
  ]),
  ...phrasesFrom('ko', cashier('ko'), [['confirm', '결제 확인', '결제 확인']]),
  ...phrasesFrom('ko', blesta('ko_kr'), [['order', '주문하*', '지금 주문하기', ['구매하*', '바로 구매']]]),
  ...phrasesFrom('ko', decap('ko'), [['publish', '게시하*', '게시하고 새로 만들기', ['^게시$']]]),
  ...phrasesFrom('ko', docuseal(), [['sign', '서명하*', '서명하고 완료하기', ['^서명$']]]),
  ...phrasesFrom('zh-Hans', decap('zh_Hans'), [['publish', '发布', '发布', ['^发表']]]),
  ...phrasesFrom(
    'zh-Hans',
    'https://github.com/Tilek0/uv-test-work/blob/0ee880fd9df45ce1c787a77d3da557bd9bc2dcf3/src/app/layout/components/side-nav-content/side-nav-wallet-value/i18n/zh.ts',
    [['transfer', '转账', '转账', ['提现', '^卖出']]],
  ),
  ...phrasesFrom('zh-Hant', decap('zh_Hant'), [['publish', '發布', '發布', ['發佈']]]),
  ...phrasesFrom(
    'th',
    'https://github.com/MarkCai6666/gogo-mall/blob/462dfcf3bc8068b298a01b709b62bae320c529d7/src/i18n/locales/th.ts',
    [['order', '^ซื้อ', 'ซื้อเลย', ['สั่งซื้อเลย', '^สั่งซื้อ']]],
  ),
  ...phrasesFrom('zh-Hans', blesta('zh_cn'), [
    ['order', '立即订购', '立即订购', ['立即购买', '^购买$', '下单']],
  ]),
  ...phrasesFrom('zh-Hans', jetstream('zh_CN'), [
    ['cancel', '离开团队', '离开团队', ['撤销访问', '退出团队']],
  ]),
  ...phrasesFrom('zh-Hans', metamask('zh_CN', '000275e41c609cc6304cf2a0bde053fe788a3741'), [
    ['sign', '^签名$', '签名', ['签署']],
  ]),
  ...phrasesFrom('zh-Hans', sushi(), [['book', '立即预订', '立即预订！', ['^预订$', '确认预订']]]),
  ...phrasesFrom(
    'zh-Hant',
    'https://github.com/WendyHsinYun/i18nSheetSync/blob/7db5cb984b4b861a75ecbb01f2625439f1e3e92d/langs/zh-tw.ts',
    [['order', '立即購買', '立即購買', ['下單']]],
  ),
  ...phrasesFrom('zh-Hant', robosats('zh-TR'), [['transfer', '^出售$', '出售', ['轉帳', '提領', '^賣出']]]),
  ...phrasesFrom('zh-Hant', jetstream('zh_TW'), [['cancel', '離開團隊', '離開團隊', ['撤銷存取']]]),
  ...phrasesFrom(
    'zh-Hant',
    'https://github.com/tengmaoqing/hyfyacht/blob/0ed1f9f399efd142e73d2ff844f645bc3a090c02/locales/zh-hk.js',
    [['book', '立即預定', '立即預定', ['立即預訂', '^預訂$', '^預定$']]],
  ),
  ...phrasesFrom('zh-Hant', metamask('zh_TW', '005eaf172a1efacd06e8aa9e83b40d4734fbc87e'), [
    ['sign', '簽署', '簽署'],
  ]),
  ...phrasesFrom('ja', glamour('ja'), [
    ['book', '予約する', '予約する'],
    ['book', '今すぐ予約', '今すぐ予約', ['^予約$', '予約を確定']],
  ]),
  ...phrasesFrom('ja', docuseal(), [['sign', '今すぐ署名', '今すぐ署名', ['署名する', '^署名$']]]),
  ...phrasesFrom('ja', cake('ja'), [
    ['transfer', '^売る$', '売る', ['振り込む', '出金する', '売却する', '返金する']],
  ]),
  ...phrasesFrom('ja', jetstream('ja'), [
    ['cancel', 'チームを離れる', 'チームを離れる', ['アクセスを取り消', '退会する', '脱退する']],
  ]),
  ...phrasesFrom('th', sushi(), [['book', '^จอง', 'จองที่นี่!']]),
  ...phrasesFrom('ko', sushi(), [['book', '예약하*', '자리 예약하기']]),
  ...phrasesFrom('ko', cake('ko'), [
    ['transfer', '^팔다$', '팔다', ['판매하*', '출금하*', '환불하*', '^송금$', '송금하*', '송금 #']],
  ]),
  ...phrasesFrom('ko', jetstream('ko'), [['cancel', '탈퇴하*', '팀 탈퇴하기']]),
];
